/** Words that many organisations have in their names. A name of nothing else identifies none of them. */
export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  `
  about academy access accounting action active administration advance advanced advisors aero aerospace affiliated agency
  agricultural agriculture agro air airlines airport airways all alliance allied alpha alternative american america anchor
  angel apartments apex apple arc architects architecture area arena argentina arrow art asia asian asset assets associated
  associates association assurance atlantic atlas attorneys australia australian austria authority auto automation
  automotive aviation axis bakery bank banking baptist bay beacon beauty belgium benefit best beta better beverage big bio
  black blue board body bold box brand brands brazil bridge bright british brothers brown builders building buildings
  built business california campus canada canadian cancer capital car cardinal care cargo carolina cars castle catholic
  cedar center central century certified chamber champion charity chemical chemicals chicago children china chinese choice
  christian church circle citizens city civil classic clean clear clearview clinic clinical cloud club coast coastal
  college columbia commerce commercial commission committee communication communications community companies compass
  complete computer computers computing concept concord concrete connect construction consultants consulting consumer
  contact container continental contractors control controls cooperative core cornerstone council country county court
  creative credit cross crown crystal custom customer dairy dallas data database davis dealers defence defense delivery
  delta dental department design development diagnostics diamond digital direct discovery distribution distributing
  distributor distributors district diversified division dragon dream drive dynamic dynamics eagle earth east eastern
  eclipse eco echo economic edge education educational elder electric electrical electricity electronic electronics
  element elite embassy emerald empire energy engineering engineers enterprise enterprises entertainment environment
  environmental epic equipment equity essential estate estates eternal europe european evans events ever evergreen
  excellence excel exchange executive experience expert experts explorer export express eye fabrication facility falcon
  family farm farmers farms fashion fast federal federation fiber fidelity field film finance financial fine fire firm
  first fitness fleet flight florida flow focus food foods force ford forest fort fortune forum foundation frame france
  franklin freedom freight french fresh frontier fuel fund furniture fusion future galaxy game games garden gas gate
  gateway gemini general generation genesis georgia german germany giant glass global globe gold golden good government
  grand granite graphic graphics great green grid ground growth guard guardian guide gulf hall hand harbor harbour harris
  harvest hawk head health healthcare heart heating heavy help heritage high highland hill hills holiday home homes hope
  horizon hospital hospitality hospitals hotel hotels house housing houston human hydro icon idea ideal image impact
  imperial import independent india indian indonesia industrial industries industry infinity infinite information
  infrastructure innovation innovations innovative inspire institute institution instituto instruments insurance integra
  integrated integrity intelligence interactive interior interiors international internet invest investment investments
  investors iron island italia italian italy japan jet johnson jones journal justice key king kingdom kings labor
  laboratories laboratory labs lake lakes land landmark laser law lawyers leader leaders leadership leading league
  learning lee legacy legal legend leisure level lewis liberty library life light lighting line link lion lions liquid
  living local logic logistics london lotus lumber luxury machine machinery madison magic magna main maintenance major
  management manager manufacturing marine marine market marketing markets martin maryland master materials matrix maxim
  mechanical media medical medicine memorial mercury meridian merit metal metals methodist metro metropolitan mexico
  miami michigan midwest military mill miller millennium mills mind mining ministry mirror mission mobile mobility model
  modern momentum money moon moore morgan mortgage motion motor motors mountain movers moving municipal museum music
  mutual national nationwide natural nature navigator network networks new news nexus noble north northeast northern
  northwest nova nuclear oak oasis ocean office offices official oil olympic olympus omega omni one online open optical
  optima optimal optimum options oracle orange orbit orchid orient original orion orthopedic pacific pack packaging
  palace panorama paper paradigm paradise paragon park parker parks parts partner partners partnership party path
  pathway patriot payment peak pearl pediatric people perfect performance personal petroleum pharma pharmaceutical
  pharmaceuticals pharmacy philips phoenix phone photo physicians pilot pine pinnacle pioneer pipe place planet planning
  plant plastic plastics platform platinum plaza plumbing plus point polar police polymer pool port portal power
  precision premier premium prestige price prime print printing private process processing product production
  productions products professional professionals program progress progressive project projects prominent promotion
  property properties protection prosper provider public publishing pulse pump pure pyramid quality quantum quest quick
  radio radiology rail railway rain rainbow ranch rapid ready real realty recovery recycling red regal regional
  rehabilitation reliable reliance rental rentals repair research reserve residential resort resorts resource resources
  response restaurant restaurants result results retail retirement river rivers road roberts robinson rock rocket roof
  roofing rose royal rubber safe safety sage sail saint sale sales san santa sapphire satellite savings scale school
  schools science sciences scientific scott sea seal search secure security select senior sensor sentinel sentry service
  services seven shadow shell shield ship shipping shop shore show sierra sigma signal signature silver simple sky smart
  smith snow social society software solar solid solution solutions sonic sound source south southeast southern southwest
  space spain spark special specialists specialties specialty spectrum speed sphere spirit sport sports spring springs
  square stage standard star stars state states station steel sterling stone storage store stores storm strategic
  strategy stream street strong structural student studio studios success summit sun sunrise sunset superior supermarket
  supplies supply support supreme sure surgery surgical sustainable swift swiss synergy system systems talent target
  taylor team tech technical technologies technology telecom telecommunications temple terminal terra test testing texas
  textile theatre thomas thunder tiger time times titan title today tools top toronto total touch tour tours tower town
  township toys trade trader traders trading tradition training transit transport transportation travel treasure tree
  tri triangle trident trinity triumph trophy tropical truck trucking trust turner twin ultra union unique unit unite
  united unity universal universe university urban usa utilities utility valley value vanguard vehicle velocity venture
  ventures vertex victoria victory view village vintage virginia virtual vision visual vital vista vitality voice volt
  walker wall war warehouse washington waste watch water wave way wealth weather web welfare wellness west western white
  wholesale wild williams wilson wind window windows wine wing winter wireless wise wolf women wonder wood woods work
  works workshop world worldwide wright yacht york young youth zenith zero zone

  agencia andina asociacion associazione banco bau berlin brasil camara central centre centro cidade ciudad clinica
  clinique colegio comercial compania construccion construcciones consultoria credito del der des die distribuidora
  ecole empresa energia entreprise espana est estado ferme finanzas france fundacion gemeinde gestion globale
  handel hopital immobilien industria industrial industrias industrie industriel industrielle ingenieria instituto
  internacional internationale italiana klinik klinikum laboratorios las logistica logistique los madrid mairie maison
  management metall municipio nacional nationale norte nord ouest paris servicios sistemas soluciones stadt stadtwerke
  sud sued sur technik technologie tecnologia transporte transportes transports universidad universitat universite
  ville zentrum de la le el da do di du van von of in at for by with on
  `
    .split(/\s+/u)
    .filter(Boolean),
)

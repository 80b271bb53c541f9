export type ListPair = {
  name: string
  domains: readonly string[]
  title: string
  isMatch: boolean
  set?: string
}

/** Invented entries with a domain, if any, and titles of threats that are about them. */
const MATCHES = `
Okapilane Ltd |  | OKAPILANE
Okapilane Freight Services GmbH & Co. KG |  | Okapilane Freight Services
The Okapilane Group |  | Okapilane Holdings S.p.A.
Okapilane & Tapirwerk, Inc. |  | Okapilane and Tapirwerk
Okapilane | okapilane.example | OKAPILANE.EXAMPLE FILES PART2 - [file list removed]
Okapilane Freight |  | Security breach of Okapilane Freight, 30 GB
Okapilane Freight Lines |  | okapilanefreightl...
Okapilane S.A. de C.V. |  | okapilane.org
Okapilane Sons Freight |  | Okapilane Sons Frieght
Okapilane Tapirwerk Dock Company |  | OTDC
Okapilane Systems |  | Okapilane (US)
Okap Ilane |  | Okapilane
Zebravik Ltd |  | ZEBRAVIK
Zebravik Freight Services GmbH & Co. KG |  | Zebravik Freight Services
The Zebravik Group |  | Zebravik Holdings S.p.A.
Zebravik & Lorisford, Inc. |  | Zebravik and Lorisford
Zebravik | zebravik.example | ZEBRAVIK.EXAMPLE FILES PART3 - [file list removed]
Zebravik Freight |  | Security breach of Zebravik Freight, 40 GB
Zebravik Freight Lines |  | zebravikfreightl...
Zebravik S.A. de C.V. |  | zebravik.org
Zebravik Sons Freight |  | Zebravik Sons Frieght
Zebravik Lorisford Dock Company |  | ZLDC
Zebravik Systems |  | Zebravik (US)
Zebr Avik |  | Zebravik
Gnuhaven Ltd |  | GNUHAVEN
Gnuhaven Freight Services GmbH & Co. KG |  | Gnuhaven Freight Services
The Gnuhaven Group |  | Gnuhaven Holdings S.p.A.
Gnuhaven & Quollmark, Inc. |  | Gnuhaven and Quollmark
Gnuhaven | gnuhaven.example | GNUHAVEN.EXAMPLE FILES PART4 - [file list removed]
Gnuhaven Freight |  | Security breach of Gnuhaven Freight, 50 GB
Gnuhaven Freight Lines |  | gnuhavenfreightl...
Gnuhaven S.A. de C.V. |  | gnuhaven.org
Gnuhaven Sons Freight |  | Gnuhaven Sons Frieght
Gnuhaven Quollmark Dock Company |  | GQDC
Gnuhaven Systems |  | Gnuhaven (US)
Gnuh Aven |  | Gnuhaven
Tapirwerk Ltd |  | TAPIRWERK
Tapirwerk Freight Services GmbH & Co. KG |  | Tapirwerk Freight Services
The Tapirwerk Group |  | Tapirwerk Holdings S.p.A.
Tapirwerk & Numbatray, Inc. |  | Tapirwerk and Numbatray
Tapirwerk | tapirwerk.example | TAPIRWERK.EXAMPLE FILES PART5 - [file list removed]
Tapirwerk Freight |  | Security breach of Tapirwerk Freight, 60 GB
Tapirwerk Freight Lines |  | tapirwerkfreightl...
Tapirwerk S.A. de C.V. |  | tapirwerk.org
Tapirwerk Sons Freight |  | Tapirwerk Sons Frieght
Tapirwerk Numbatray Dock Company |  | TNDC
Tapirwerk Systems |  | Tapirwerk (US)
Tapi Rwerk |  | Tapirwerk
Lorisford Ltd |  | LORISFORD
Lorisford Freight Services GmbH & Co. KG |  | Lorisford Freight Services
The Lorisford Group |  | Lorisford Holdings S.p.A.
Lorisford & Dugongate, Inc. |  | Lorisford and Dugongate
Lorisford | lorisford.example | LORISFORD.EXAMPLE FILES PART6 - [file list removed]
Lorisford Freight |  | Security breach of Lorisford Freight, 70 GB
Lorisford Freight Lines |  | lorisfordfreightl...
Lorisford S.A. de C.V. |  | lorisford.org
Lorisford Sons Freight |  | Lorisford Sons Frieght
Lorisford Dugongate Dock Company |  | LDDC
Lorisford Systems |  | Lorisford (US)
Lori Sford |  | Lorisford
Quollmark Ltd |  | QUOLLMARK
Quollmark Freight Services GmbH & Co. KG |  | Quollmark Freight Services
The Quollmark Group |  | Quollmark Holdings S.p.A.
Quollmark & Okapilane, Inc. |  | Quollmark and Okapilane
Quollmark | quollmark.example | QUOLLMARK.EXAMPLE FILES PART7 - [file list removed]
Quollmark Freight |  | Security breach of Quollmark Freight, 80 GB
Quollmark Freight Lines |  | quollmarkfreightl...
Quollmark S.A. de C.V. |  | quollmark.org
Quollmark Sons Freight |  | Quollmark Sons Frieght
Quollmark Okapilane Dock Company |  | QODC
Quollmark Systems |  | Quollmark (US)
Quol Lmark |  | Quollmark
Numbatray Ltd |  | NUMBATRAY
Numbatray Freight Services GmbH & Co. KG |  | Numbatray Freight Services
The Numbatray Group |  | Numbatray Holdings S.p.A.
Numbatray & Zebravik, Inc. |  | Numbatray and Zebravik
Numbatray | numbatray.example | NUMBATRAY.EXAMPLE FILES PART8 - [file list removed]
Numbatray Freight |  | Security breach of Numbatray Freight, 90 GB
Numbatray Freight Lines |  | numbatrayfreightl...
Numbatray S.A. de C.V. |  | numbatray.org
Numbatray Sons Freight |  | Numbatray Sons Frieght
Numbatray Zebravik Dock Company |  | NZDC
Numbatray Systems |  | Numbatray (US)
Numb Atray |  | Numbatray
Dugongate Ltd |  | DUGONGATE
Dugongate Freight Services GmbH & Co. KG |  | Dugongate Freight Services
The Dugongate Group |  | Dugongate Holdings S.p.A.
Dugongate & Gnuhaven, Inc. |  | Dugongate and Gnuhaven
Dugongate | dugongate.example | DUGONGATE.EXAMPLE FILES PART9 - [file list removed]
Dugongate Freight |  | Security breach of Dugongate Freight, 100 GB
Dugongate Freight Lines |  | dugongatefreightl...
Dugongate S.A. de C.V. |  | dugongate.org
Dugongate Sons Freight |  | Dugongate Sons Frieght
Dugongate Gnuhaven Dock Company |  | DGDC
Dugongate Systems |  | Dugongate (US)
Dugo Ngate |  | Dugongate
`
/** The same with titles that are about somebody else. */
const OTHERS = `
Okapilane |  | Tapirwerk
Okapilane Bank |  | Tapirwerk Bank
Delta |  | Delta Okapilane
Okapilane | okapilane.example | tapirwerk.example
Northern Okapilane Health |  | Southern Okapilane Health
Okapilane 2 |  | Okapilane 3
Okap |  | Okapilane
Zebravik |  | Lorisford
Zebravik Bank |  | Lorisford Bank
Apex |  | Apex Zebravik
Zebravik | zebravik.example | lorisford.example
Northern Zebravik Health |  | Southern Zebravik Health
Zebravik 3 |  | Zebravik 4
Zebr |  | Zebravik
Gnuhaven |  | Quollmark
Gnuhaven Bank |  | Quollmark Bank
First |  | First Gnuhaven
Gnuhaven | gnuhaven.example | quollmark.example
Northern Gnuhaven Health |  | Southern Gnuhaven Health
Gnuhaven 4 |  | Gnuhaven 5
Gnuh |  | Gnuhaven
Tapirwerk |  | Numbatray
Tapirwerk Bank |  | Numbatray Bank
Summit |  | Summit Tapirwerk
Tapirwerk | tapirwerk.example | numbatray.example
Northern Tapirwerk Health |  | Southern Tapirwerk Health
Tapirwerk 5 |  | Tapirwerk 6
Tapi |  | Tapirwerk
Lorisford |  | Dugongate
Lorisford Bank |  | Dugongate Bank
Pioneer |  | Pioneer Lorisford
Lorisford | lorisford.example | dugongate.example
Northern Lorisford Health |  | Southern Lorisford Health
Lorisford 6 |  | Lorisford 7
Lori |  | Lorisford
Quollmark |  | Okapilane
Quollmark Bank |  | Okapilane Bank
Global |  | Global Quollmark
Quollmark | quollmark.example | okapilane.example
Northern Quollmark Health |  | Southern Quollmark Health
Quollmark 7 |  | Quollmark 8
Quol |  | Quollmark
Numbatray |  | Zebravik
Numbatray Bank |  | Zebravik Bank
Atlas |  | Atlas Numbatray
Numbatray | numbatray.example | zebravik.example
Northern Numbatray Health |  | Southern Numbatray Health
Numbatray 8 |  | Numbatray 9
Numb |  | Numbatray
Dugongate |  | Gnuhaven
Dugongate Bank |  | Gnuhaven Bank
Premier |  | Premier Dugongate
Dugongate | dugongate.example | gnuhaven.example
Northern Dugongate Health |  | Southern Dugongate Health
Dugongate 9 |  | Dugongate 10
Dugo |  | Dugongate
`

export const LIST_PAIRS: readonly ListPair[] = [
  ...readPairs(MATCHES).map((pair) => ({ ...pair, isMatch: true })),
  ...readPairs(OTHERS).map((pair) => ({ ...pair, isMatch: false })),
]

function readPairs(lines: string) {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', domain = '', title = ''] = line.split(' | ').map((part) => part.trim())
      return { name, domains: domain ? [domain] : [], title }
    })
}

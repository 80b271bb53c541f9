import type { DemoCategory } from './demo-actors.ts'
import type { DemoOrganization } from './demo-organization.ts'

/** Facts that one record's texts agree on. */
export type Scene = {
  /** `an unnamed seller` and the like where nobody is named. */
  actor: string
  organization: DemoOrganization
  /** English name of the organization's country. */
  place: string
  gigabytes: number
  records: string
  price: string
  hosts: number
  days: number
}

type Line = (scene: Scene) => string
type Lines = readonly [Line, ...Line[]]

/** Sentences for a category's records. A line is drawn from each list; recommendations are sampled. */
type CategoryTexts = {
  titles: Lines
  summaries: Lines
  openings: Lines
  details: Lines
  impacts: Lines
  recommendations: readonly string[]
}

const ransomwareTexts: CategoryTexts = {
  titles: [
    ({ organization }) => organization.name,
    ({ organization }) => organization.name,
    ({ organization }) => organization.domain,
    ({ organization, gigabytes }) => `${organization.name} - ${gigabytes} GB`,
    ({ organization }) => `${organization.name.toUpperCase()} - FULL DATA PUBLISHED`,
    ({ organization, days }) => `${organization.name} (${days} days left)`,
    ({ organization, actor }) => `${actor} lists ${organization.name}`,
    ({ organization }) => `${organization.domain} FILES PART 2`,
  ],
  summaries: [
    ({ actor, organization, place }) =>
      `${actor} names ${organization.name}, ${place}, on its leak site and threatens to publish stolen files.`,
    ({ actor, organization, gigabytes }) =>
      `${actor} claims ${gigabytes} GB taken from ${organization.name}; sample files are shown as proof.`,
    ({ actor, organization, days }) =>
      `A countdown of ${days} days runs on ${actor}'s site before data said to be from ${organization.name} is released.`,
    ({ actor, organization }) =>
      `${actor} has published an archive that it says came from ${organization.name} after talks failed.`,
  ],
  openings: [
    ({ organization, place }) =>
      `Company: ${organization.name}\nCountry: ${place}\nWebsite: ${organization.domain}\nIndustry: ${organization.industry}`,
    ({ organization, gigabytes }) =>
      `We have been inside the network of ${organization.name} for several weeks and copied ${gigabytes} GB.`,
    ({ organization }) =>
      `${organization.name} chose not to answer. The management values its customers cheaply.`,
  ],
  details: [
    ({ gigabytes, days }) =>
      `Data: contracts, payroll, HR files, scanned passports, accounting (${gigabytes} GB).\nTime until publication: ${days} days.`,
    ({ hosts }) =>
      `${hosts} servers and their backups were encrypted. Proof pack: 14 files, directory listing attached.`,
    ({ organization }) =>
      `The full tree of files is attached. Contact for ${organization.name}: the chat in the note.`,
  ],
  impacts: [
    ({ organization }) =>
      `Personal data of staff and customers of ${organization.name} may be published; operations may be interrupted.`,
    ({ organization }) =>
      `Partners of ${organization.name} may see their contracts and credentials exposed and be approached by fraudsters.`,
    () =>
      'Encryption of servers and backups can stop production for days; publication adds legal duties to notify.',
  ],
  recommendations: [
    'Check whether you exchange data or hold network connections with the named organization.',
    'Reset credentials shared with it and review sign-ins of the past 60 days.',
    'Verify that offline backups exist and can be restored.',
    'Search mail gateways for messages that refer to the claimed leak.',
    'Block remote management tools that are not on the approved list.',
    'Prepare a statement for customers in case files are published.',
  ],
}

const dataBreachTexts: CategoryTexts = {
  titles: [
    ({ organization, records }) => `${organization.name} customer database, ${records} rows`,
    ({ organization }) => `[SELLING] ${organization.domain} users + hashes`,
    ({ organization, gigabytes }) => `${organization.name} internal documents (${gigabytes} GB)`,
    ({ organization, place }) => `${place}: ${organization.name} employee records leaked`,
    ({ organization }) => `${organization.domain} database for free, enjoy`,
    ({ organization, records }) => `${records} accounts of ${organization.name}, fresh dump`,
  ],
  summaries: [
    ({ actor, organization, records }) =>
      `${actor} offers a database of ${records} records said to come from ${organization.name}.`,
    ({ actor, organization }) =>
      `${actor} shares files attributed to ${organization.name} on a forum, with a sample of a hundred rows.`,
    ({ organization, price, place }) =>
      `Data of ${organization.name} (${place}) is on sale for ${price}; the seller accepts escrow.`,
  ],
  openings: [
    ({ organization, records }) => `Today I sell the database of ${organization.domain}. Lines: ${records}.`,
    ({ organization }) =>
      `Hello community, here is the dump of ${organization.name}. Thanks for reading and enjoy.`,
    ({ organization, place }) =>
      `Target: ${organization.name}, ${place}. Method: exposed backup, since closed.`,
  ],
  details: [
    ({ price }) =>
      `Columns: id, name, email, phone, address, password hash, created.\nPrice: ${price}, one buyer only.`,
    ({ records }) => `Sample of 100 lines below, all ${records} after payment. No resellers.`,
    ({ gigabytes }) => `Compressed ${gigabytes} GB. Includes invoices, identity documents and internal mail.`,
  ],
  impacts: [
    ({ organization }) =>
      `Customers of ${organization.name} may receive convincing fraud by mail and telephone.`,
    () => 'Reused passwords open accounts elsewhere; expect credential stuffing within days.',
    ({ organization }) => `${organization.name} may have to notify regulators and the people concerned.`,
  ],
  recommendations: [
    'Compare the sample with your own customer and staff addresses.',
    'Force a password change for accounts that appear in the data.',
    'Watch sign-in endpoints for credential stuffing.',
    'Warn the help desk about callers who know leaked details.',
    'Ask the named organization for confirmation before acting on the claim.',
  ],
}

const initialAccessTexts: CategoryTexts = {
  titles: [
    ({ organization, place }) => `VPN access, ${organization.industry}, ${place}`,
    ({ hosts, place }) => `Domain admin, ${hosts} hosts, ${place}`,
    ({ organization, price }) => `RDP to ${organization.industry} company, start ${price}`,
    ({ place, organization }) => `[AUCTION] ${place} / ${organization.industry} / local admin`,
    ({ organization }) => `Webshell on ${organization.domain}`,
    ({ organization, hosts }) => `Citrix, ${organization.industry}, ${hosts}+ machines, EDR present`,
  ],
  summaries: [
    ({ actor, organization, place, price }) =>
      `${actor} auctions network access to a ${organization.industry} company in ${place}, starting at ${price}.`,
    ({ actor, hosts, place }) =>
      `${actor} offers domain administrator rights on a network of ${hosts} hosts in ${place}.`,
    ({ actor, organization }) =>
      `${actor} advertises a foothold at an organization that matches ${organization.name}.`,
  ],
  openings: [
    ({ organization, place }) =>
      `Geo: ${place}\nIndustry: ${organization.industry}\nAccess: VPN, valid account`,
    ({ hosts }) => `Network of ${hosts} hosts, two domains, trust between them.`,
    ({ place }) => `Fresh access, ${place}, nobody inside but me.`,
  ],
  details: [
    ({ price }) => `Start: ${price}\nStep: 500\nBlitz: ask\nEscrow welcome, 24 hours after the last bid.`,
    () => 'Antivirus on servers, none on workstations. Backups reachable from the domain.',
    ({ hosts }) => `${hosts} machines seen in the directory; revenue by public register.`,
  ],
  impacts: [
    () => 'Access of this kind is commonly bought by ransomware crews and used within two weeks.',
    ({ organization }) =>
      `An intruder may already move inside ${organization.name} or a company much like it.`,
  ],
  recommendations: [
    'Review VPN sign-ins from unfamiliar networks and devices.',
    'Require phishing-resistant second factors for all remote access.',
    'Rotate credentials of service accounts with domain rights.',
    'Hunt for web shells and new scheduled tasks on exposed servers.',
    'Patch edge devices and end sessions opened before the patch.',
  ],
}

const ddosTexts: CategoryTexts = {
  titles: [
    ({ organization }) => `${organization.domain} on the target list`,
    ({ actor, organization }) => `${actor} claims outage of ${organization.name}`,
    ({ place }) => `New targets: ${place}`,
    ({ organization }) => `${organization.domain} is DOWN`,
    ({ organization, place }) => `${place}, ${organization.industry}: we are coming`,
  ],
  summaries: [
    ({ actor, organization }) => `${actor} lists ${organization.domain} among the targets of today's attack.`,
    ({ actor, organization, place }) =>
      `${actor} claims to have taken the site of ${organization.name} (${place}) offline and links to a status check.`,
    ({ actor, place }) => `${actor} announces a week of attacks on organizations in ${place}.`,
  ],
  openings: [
    ({ organization, place }) => `Greetings to ${place}! Today ${organization.domain} rests.`,
    ({ organization }) => `Target: ${organization.domain}\nPorts: 443, 80\nMethods: http, tcp, slow`,
  ],
  details: [
    ({ organization }) => `Check: error 503 from four continents on ${organization.domain}.`,
    ({ days }) => `The attack continues for ${days} days or until our demands are heard.`,
    ({ hosts }) => `${hosts} volunteers take part. Join and earn.`,
  ],
  impacts: [
    ({ organization }) => `Public services of ${organization.name} may be slow or out of reach for hours.`,
    () => 'The attack hides nothing by itself, but busy defenders may miss another intrusion.',
  ],
  recommendations: [
    'Confirm that the site stands behind scrubbing or a content delivery network.',
    'Rate-limit expensive pages such as search and sign-in.',
    'Keep a static fallback page ready.',
    'Tell the provider early and agree on a contact for the night.',
  ],
}

const otherTexts: CategoryTexts = {
  titles: [
    ({ organization }) => `Phishing kit imitating ${organization.name}`,
    ({ organization }) => `Stealer logs mention ${organization.domain}`,
    ({ organization }) => `Looking for insiders at ${organization.industry} companies`,
    ({ organization }) => `Lookalike domain of ${organization.domain} registered`,
    ({ place, price }) => `Bulk SMS sender, ${place}, ${price} a month`,
  ],
  summaries: [
    ({ actor, organization }) => `${actor} sells a sign-in page that copies the one of ${organization.name}.`,
    ({ organization, records }) =>
      `A collection of ${records} stealer logs holds sessions for ${organization.domain}.`,
    ({ actor, organization, price }) =>
      `${actor} offers ${price} to staff of ${organization.industry} companies for internal access.`,
  ],
  openings: [
    ({ organization }) => `Works with all browsers, looks like ${organization.domain}, panel included.`,
    ({ records }) => `Fresh logs, ${records}, sorted by country, no duplicates.`,
    ({ place }) => `Serious people only, ${place} preferred.`,
  ],
  details: [
    ({ price }) => `Price: ${price}. Updates for a month.`,
    () => 'Sends what it collects to a bot; second factors are asked for and relayed.',
    () => 'Guarantor accepted. Write in private messages.',
  ],
  impacts: [
    ({ organization }) =>
      `Staff and customers of ${organization.name} may hand credentials to a copied page.`,
    () => 'Stolen sessions pass second factors until they are ended.',
  ],
  recommendations: [
    'Search proxy and DNS logs for the lookalike names.',
    'End all sessions of accounts that appear in the logs.',
    'Remind staff how recruiters of insiders approach them.',
    'Report the copied page to its host and registrar.',
  ],
}

export const DEMO_TEXTS: Readonly<Record<DemoCategory, CategoryTexts>> = {
  Ransomware: ransomwareTexts,
  'Data Breach': dataBreachTexts,
  'Initial Access': initialAccessTexts,
  DDoS: ddosTexts,
  Other: otherTexts,
}

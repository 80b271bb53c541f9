import type { CategoryTexts } from './category-texts.ts'

export const initialAccessTexts: CategoryTexts = {
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

import type { CategoryTexts } from './category-texts.ts'

export const ransomwareTexts: CategoryTexts = {
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

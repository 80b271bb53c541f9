import type { CategoryTexts } from './category-texts.ts'

export const dataBreachTexts: CategoryTexts = {
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

import type { CategoryTexts } from './category-texts.ts'

export const otherTexts: CategoryTexts = {
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

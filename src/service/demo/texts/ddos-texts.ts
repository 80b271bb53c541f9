import type { CategoryTexts } from './category-texts.ts'

export const ddosTexts: CategoryTexts = {
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

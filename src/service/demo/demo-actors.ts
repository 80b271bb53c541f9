import type { KNOWN_CATEGORIES } from '#contract/category.ts'

export type DemoCategory = (typeof KNOWN_CATEGORIES)[number]

// Busiest first, and all invented.
const RANSOMWARE = [
  'glassheron',
  'NullOrchard',
  'Ashen Relay',
  'kobaltfuchs',
  'Tarn & Sons',
  'vellumlock',
  'Sable Meridian',
  'dry-harbor',
  'OchreWolf',
  'Brackwater',
  'hexmason',
  'PALE CUSTODIAN',
  'Nightjar Press',
  'quartzmoth',
  'Lowtide',
  'Red Umbra Desk',
  'stillmill',
  'Gravel King',
  'third lantern',
  'Mirrorfen',
  'copperveil',
  'UNDERLEDGER',
  'saltcrypt',
  'Winterbid',
] as const
const DATA_BREACH = [
  'marrowdata',
  'Inkwell77',
  'paperfox',
  'DumpsterDuchess',
  'Leafcutter',
  'velvet_csv',
  'rowhammer_rita',
  'TidePool',
  'Quiet Archive',
  'sqlgrocer',
  'Harrow',
  'BlueCarbonCopy',
] as const
const INITIAL_ACCESS = [
  'doorman_ko',
  'Basalt Keys',
  'edgewalker9',
  'Rentier',
  'portside',
  'Lady Foothold',
  'vpnbazaar',
  'jumpbox',
  'Understudy',
  'greylatch',
] as const
const DDOS = [
  'Static Choir',
  'NOISEWORKS',
  'Crowd Signal',
  'Hail Brigade',
  'FloodKompanie',
  'Seventh Packet',
  'Loud Meadow',
  'Overcast Front',
  'PingMillers',
] as const
const OTHER = ['pagetailor', 'Mimic Post', 'loglarder', 'Insider Desk', 'Counterfeit Crow'] as const

/** Sixty in all. */
export const DEMO_ACTORS: Readonly<Record<DemoCategory, readonly [string, ...string[]]>> = {
  Ransomware: RANSOMWARE,
  'Data Breach': DATA_BREACH,
  'Initial Access': INITIAL_ACCESS,
  DDoS: DDOS,
  Other: OTHER,
}

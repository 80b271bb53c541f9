import { DAY_MS } from '#contract/duration.ts'
import type { Claim } from '#matcher/cases/claim.ts'

export type CasePair = { one: Claim; other: Claim; isSame: boolean; set?: string }

/** Invented names for `{1}`, `{2}` and `{3}` in the pairs below. Of `{1:2}` two letters are visible. */
const NAMES = [
  'Okapilane Tapirwerk Dugongate',
  'Zebravik Lorisford Gnuhaven',
  'Quollmark Numbatray Saolabrook',
]
const NAME = /\{([123])(?::(\d))?\}/gu

/**
 * Claims of one victim: title, domains, country, group and day of each. They have the difficulties of real claims: legal
 * forms, sites, parts, resales, slips, cut and masked titles.
 */
const SAME = `
{1} Freight Ltd; ; ; redfox; 0 = {1} FREIGHT; ; ; bluejay; 5
{1}; {1}.example; ; redfox; 0 = {1} Group S.p.A.; {1}.example; IT; bluejay; 12
{1}.example; ; ; redfox; 0 = www.{1}.example; ; ; bluejay; 3
{1} Freight; ; US; redfox; 0 = {1} Freight Inc.; {1}freight.example; ; redfox; 20
{1}.EXAMPLE FILES PART1; ; ; redfox; 0 = {1}.EXAMPLE FILES PART7 - [file list removed]; ; ; redfox; 2
{1} {2}; ; ; redfox; 0 = {1} {2} [SOLD]; ; ; redfox; 9
{1} {2}; ; ; redfox; 0 = {1} {2} part 2; ; ; bluejay; 9
Horizon Foods; ; ; redfox; 0 = Horizon Foods (updated); ; ; redfox; 6
{1} - HACKED AND MORE THEN 300 GB DATA LEAKED; ; ; redfox; 0 = {1}; ; ; bluejay; 1
{1} Freight; ; ; redfox; 0 = {1}freight.example; ; ; bluejay; 14
{1} & {2}; ; FR; redfox; 0 = {1} and {2} GmbH; ; FR; bluejay; 2
{1} Freight Services; ; ; redfox; 0 = {1} Frieght Services; ; ; bluejay; 2
{1} {2} Engineering; ; ; redfox; 0 = {1} {2}; ; ; bluejay; 2
{1} Brasil; ; BR; redfox; 0 = {1}; ; ; bluejay; 8
{1} ({2} Foods); ; ; redfox; 0 = {2} Foods; ; ; bluejay; 4
{1} {2} Lumber Dock; ; CA; redfox; 0 = Lumber {1} {2}; {1}2.example; CA; bluejay; 3
{1}freightlin...; ; ; redfox; 0 = {1}freightlines.example; ; ; bluejay; 2
{1} & {3}; ; ; redfox; 0 = {1}/{3}; ; ; bluejay; 3
{1}-freig...; ; ; redfox; 0 = {1}-freight.example; {1}-freight.example; ; redfox; 0
{1}.exam...; ; ; redfox; 0 = {1}.example; {1}.example; ; redfox; 0
www.{2}-foo...; ; ; redfox; 0 = {2}-foods.example; {2}-foods.example; ; redfox; 1
https://{3}fre...; ; ; redfox; 0 = {3}freight.example; {3}freight.example; ; redfox; 1
{2} Foods; ; ; redfox; 0 = {2} Foods; ; ; redfox leak; 0
Summit; ; ; redfox; 0 = SUMMIT; ; ; redfox leak; 0
http://www.{1}.example; {1}.example; ; redfox; 0 = {1} Lumber; {1}.example; ; redfox; 1
{3} / {2}; ; ; redfox; 0 = {3}/{2}.part2; ; ; redfox; 2
{3}; ; ; redfox; 0 = {3} database on sale; ; ; redfox; 10
{1:2} {2:2}; ; ; redfox; 0 = {1:3} {2:3}; ; ; redfox; 7
Pinnacle Health Services; ; AU; redfox; 0 = Pinnacle Health Services; ; AU; bluejay; 3
{1} {2} {3} Company; ; NZ; redfox; 0 = INITIALS; ; NZ; bluejay; 3
{1}; {1}.example; ; redfox; 0 = {1}; {1}.test; ; bluejay; 3
Security breach of {1} Freight, 30 GB; ; ; redfox; 0 = {1} Freight; ; ; bluejay; 3
`
/** Claims of two victims, or of one at different times. */
const OTHERS = `
{1}; ; ; redfox; 0 = {2}; ; ; redfox; 0
{1} Freight Ltd; ; ; redfox; 0 = {2} Freight Ltd; ; ; redfox; 1
{1} Freight; ; ; redfox; 0 = {1} Freight; ; ; redfox; 45
Northern {1} Health; ; ; redfox; 0 = Southern {1} Health; ; ; bluejay; 3
Delta; ; ; redfox; 0 = Delta {1}; ; ; bluejay; 3
Apollo Foods; ; US; redfox; 0 = Apollo Foods; ; IT; bluejay; 3
{1}.example; ; ; redfox; 0 = {2}.example; ; ; redfox; 1
{1}.github.io; {1}.github.io; ; redfox; 0 = {2}.github.io; {2}.github.io; ; bluejay; 1
{1}; facebook.com; ; redfox; 0 = {2}; facebook.com; ; bluejay; 2
{1} {2}; ; ; redfox; 0 = {1} {3}; ; ; bluejay; 2
City of {1}; ; ; redfox; 0 = City of {2}; ; ; bluejay; 2
{1} University; ; ; redfox; 0 = {2} University; ; ; bluejay; 2
M*****; ; ; redfox; 0 = M*****; ; ; bluejay; 2
{1:2}; ; ; redfox; 0 = {2:2}; ; ; redfox; 2
FILES PART2; ; ; redfox; 0 = FILES PART3; ; ; redfox; 2
{1} Lumber {2}; ; DE; redfox; 0 = {3} Lumber Dock; ; DE; bluejay; 2
Vision Care; ; ; redfox; 0 = Vision Health; ; ; bluejay; 2
Department {1}; city.gov; ; redfox; 0 = School {2}; city.gov; ; redfox; 80
`

export const CASE_PAIRS: readonly CasePair[] = NAMES.flatMap((names) => [
  ...readPairs(SAME, names.split(' '), true),
  ...readPairs(OTHERS, names.split(' '), false),
])

function readPairs(lines: string, names: readonly string[], isSame: boolean): CasePair[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [one = '', other = ''] = line.split(' = ')
      return { one: readClaim(one, names), other: readClaim(other, names), isSame }
    })
}

function readClaim(line: string, names: readonly string[]): Claim {
  const [title = '', domain = '', country = '', actor = '', day = ''] = line
    .split(';')
    .map((part) => fillNames(part.trim(), names))
  return {
    id: line,
    at: Number(day) * DAY_MS,
    title,
    victims: [title],
    domains: domain ? [domain.toLowerCase()] : [],
    countries: country ? [country] : [],
    actors: actor ? [actor] : [],
    categories: ['Ransomware'],
  }
}

function fillNames(text: string, names: readonly string[]): string {
  return text
    .replace('INITIALS', names.map((name) => name.charAt(0)).join(''))
    .replace(NAME, (_, digit: string, visible: string | undefined) => {
      const name = names[Number(digit) - 1] ?? ''
      return visible === undefined ? name : name.slice(0, Number(visible)).padEnd(name.length, '*')
    })
}

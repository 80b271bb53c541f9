import type { DemoOrganization } from '../demo-organization.ts'

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
export type CategoryTexts = {
  titles: Lines
  summaries: Lines
  openings: Lines
  details: Lines
  impacts: Lines
  recommendations: readonly string[]
}

import * as z from 'zod/mini'
import { rowIdSchema } from '../id.ts'
import { concernsOfThreatSchema } from './list-match.ts'
import { threatIdSchema, threatSchema } from './threat.ts'

/** The rules by which two claims are of one victim. */
export const JOIN_RULES = [
  'domain',
  'name',
  'repost',
  'similar',
  'name-in-name',
  'abbreviation',
  'everyday-name',
  'brand-in-domain',
] as const
export const joinRuleSchema = z.enum(JOIN_RULES)
export type JoinRule = z.infer<typeof joinRuleSchema>

/** Claims of one victim belong together if they follow each other within this many days. */
export const CASE_DAYS = 30
/** The most claims and offers that an answer has. */
export const CASE_CLAIMS_MAX_COUNT = 100
export const CASE_OFFERS_MAX_COUNT = 10

/** The most cases that are joined at once, and the most claims that they have together. */
export const JOIN_CASES_MAX_COUNT = 20
export const JOIN_CLAIMS_MAX_COUNT = 1_000
/** The most threats that a request to join their cases can name. */
const JOIN_IDS_MAX_COUNT = 500

/** Why a claim belongs to another one. */
const joinReasonSchema = z.object({
  /** The other claim. */
  threatId: threatIdSchema,
  /** `hand`: a person decided it. */
  rule: z.union([joinRuleSchema, z.literal('hand')]),
  /** The words that both claims have, third-party text; of a person's decision, the person's name. */
  text: z.string(),
})
export type JoinReason = z.infer<typeof joinReasonSchema>

const claimSchema = z.object({
  threat: z.extend(threatSchema, { concerns: concernsOfThreatSchema }),
  reason: z.nullable(joinReasonSchema),
})
export type CaseClaim = z.infer<typeof claimSchema>

const offerSchema = z.object({ threat: threatSchema, reason: joinReasonSchema })

/** One victim, claimed once or often. */
export const caseSchema = z.object({
  id: rowIdSchema,
  /** Newest first. The claim that no other one came before has no reason. */
  claims: z.array(claimSchema),
  claimCount: z.int(),
  /** How many actors claim the victim. */
  actorCount: z.int(),
  /** Claims of other cases that are likely to be of this victim. */
  offers: z.array(offerSchema),
  /** The last decision of a person, on any case, that the answer knows of. Decisions carry it: see `caseActionSchema`. */
  revision: z.int(),
})
export type VictimCase = z.infer<typeof caseSchema>

/** Answer of `GET /bff/threats/:id/case`. */
export const caseAnswerSchema = z.object({
  /** Null until the threat is stored and compared. */
  found: z.nullable(caseSchema),
  /** Claims that may be of this case are still being compared: right after a start with many stored threats. */
  isComparing: z.boolean(),
})
export type CaseAnswer = z.infer<typeof caseAnswerSchema>

/** That of the case that the person saw. */
const revisionSchema = z.int().check(z.nonnegative())
const SEEN = { threatId: threatIdSchema, revision: revisionSchema }
const joinedIdsSchema = z.array(threatIdSchema).check(z.minLength(2), z.maxLength(JOIN_IDS_MAX_COUNT))

/** Body of `POST /bff/cases` (analysts). 409 if somebody else has decided on claims of the same cases since `revision`. */
export const caseActionSchema = z.discriminatedUnion('action', [
  /** Both claims, and those that belong to them, are one case. */
  z.strictObject({ action: z.literal('join'), otherId: threatIdSchema, ...SEEN }),
  /** The cases of all these threats are one. 400 above 20 cases or 1,000 claims. */
  z.strictObject({ action: z.literal('join-all'), threatIds: joinedIdsSchema, revision: revisionSchema }),
  /** The claim leaves its case. */
  z.strictObject({ action: z.literal('split'), ...SEEN }),
  /** The two are of different victims. */
  z.strictObject({ action: z.literal('keep-apart'), otherId: threatIdSchema, ...SEEN }),
])
export type CaseAction = z.infer<typeof caseActionSchema>

/** Answer of `POST /bff/cases`. `undoId` is for `POST /bff/cases/undo`; null if nothing has changed. */
export const caseChangeSchema = z.object({ undoId: z.nullable(rowIdSchema) })

/** Body of `POST /bff/cases/undo` (analysts). */
export const caseUndoSchema = z.strictObject({ undoId: rowIdSchema })

/** Body of `POST /bff/cases/preview` (analysts). */
export const joinPreviewQuerySchema = z.strictObject({ threatIds: joinedIdsSchema })

const caseWorkSchema = z.object({
  /** Name of whoever deals with the case, third-party text; null is nobody. */
  owner: z.nullable(z.string()),
  /** All claims are. */
  isClosed: z.boolean(),
})
export type CaseWork = z.infer<typeof caseWorkSchema>

/** Answer of `POST /bff/cases/preview`: the cases that `join-all` would join, in the order of the threats. */
export const joinPreviewSchema = z.object({
  cases: z.array(
    z.object({
      id: rowIdSchema,
      /** The first of the named threats that belongs to the case. */
      threat: threatSchema,
      claimCount: z.int(),
      ...caseWorkSchema.shape,
    }),
  ),
  /** The one case that they become. */
  joined: caseWorkSchema,
  revision: z.int(),
})
export type JoinPreview = z.infer<typeof joinPreviewSchema>

import type * as z from 'zod/mini'
import type { BffRoute, Fields, RouteDefinition } from '#bff/http/route.ts'
import type { Role } from '#contract/bff/session.ts'

/** A route at an address that the contract does not know. */
export function defineTestRoute<
  Access extends 'public' | Role,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(definition: RouteDefinition<Access, Params, Query, Body>): BffRoute {
  return definition
}

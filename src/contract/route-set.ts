import * as z from 'zod/mini'

/** The vendor's two route sets: `/api/v1`, and the earlier, unversioned `/api`. */
export const ROUTE_SETS = ['v1', 'earlier'] as const
export const routeSetSchema = z.enum(ROUTE_SETS)
export type RouteSet = z.infer<typeof routeSetSchema>

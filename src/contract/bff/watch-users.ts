import * as z from 'zod/mini'

/** Answer of `GET /bff/watches/users` (analysts): who may be told, by name. */
export const watchUsersSchema = z.object({ users: z.array(z.object({ id: z.uuid(), name: z.string() })) })

import * as z from 'zod/mini'

export const loadStateSchema = z.enum(['waiting', 'reading', 'done', 'stopped', 'failed'])

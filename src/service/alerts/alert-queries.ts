import * as z from 'zod/mini'
import { type AlertProfile, alertProfileSchema } from '#contract/upstream/earlier/alert-profile.ts'
import type { CreateAlert } from '#contract/upstream/earlier/create-alert.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const listedSchema = z.array(alertProfileSchema)
const createdSchema = z.tuple([alertProfileSchema])

const COLUMNS = `
  id, name, keywords, categories,
  json_build_object('email', emails, 'slack', slack_webhook, 'teams', teams_webhook) as notifications,
  ${isoUtc('created_at')} as created_at,
  ${isoUtc('updated_at')} as updated_at,
  triggered_count`

export async function listAlertProfiles(db: Database, accountId: string): Promise<AlertProfile[]> {
  const { rows } = await db.query(
    `select ${COLUMNS} from alert_profile where account_id = $1 order by created_at desc, id desc`,
    [accountId],
  )
  return listedSchema.parse(rows)
}

export async function createAlertProfile(
  db: Database,
  accountId: string,
  { name, keywords, categories, notifications }: CreateAlert,
): Promise<AlertProfile> {
  const { email, slack, teams } = notifications
  const { rows } = await db.query(
    `insert into alert_profile (account_id, name, keywords, categories, emails, slack_webhook, teams_webhook)
     values ($1, $2, $3, $4, $5, $6, $7)
     returning ${COLUMNS}`,
    [accountId, name, keywords, categories, email, slack, teams],
  )
  return createdSchema.parse(rows)[0]
}

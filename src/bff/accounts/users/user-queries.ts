import * as z from 'zod/mini'
import { HAS_FACTOR } from '#bff/accounts/sign-in/session-queries.ts'
import { type NewUser, type User, type UserChange, userSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, readRows } from '#database/read-rows.ts'

const USERS = `
  select account.id, account.email, account.name, account.role,
         case when disabled_at is not null then 'disabled'
              when password_hash is null and oidc_subject is null then 'invited'
              else 'active' end as state,
         password_hash is not null as "hasPassword",
         oidc_subject is not null as "hasSingleSignOn",
         ${HAS_FACTOR} as "hasSecondFactor",
         (select count(*)::int from session
           where account_id = account.id and session.expires_at > now()
             and seen_at > now() - interval '30 minutes') as sessions,
         ${isoUtc('created_at')} as "createdAt",
         coalesce((select ${isoUtc('at')} from audit_event
           where actor = account.id
             and action in ('sign-in', 'sign-in-by-link', 'sign-in-by-sso', 'sign-in-by-break-glass', 'password-set-by-link')
           order by audit_event.id desc limit 1),
           -- Where that was pruned: when they were last here.
           (select ${isoUtc('seen_at')} from visit where visit.account_id = account.id)) as "lastSignInAt",
         (select ${isoUtc('expires_at')} from password_link
           where account_id = account.id and expires_at > now()) as "linkExpiresAt",
         (select ${isoUtc('max(expires_at)')} from sign_in_link
           where account_id = account.id and is_break_glass and expires_at > now()) as "breakGlassUntil"
    from account`

export async function listUsers(db: Database): Promise<User[]> {
  return readRows(db, userSchema)`${USERS} order by email`
}

export async function findUser(db: Database, id: string): Promise<User | null> {
  return findRow(db, userSchema, [id])`${USERS} where account.id::text = $1`
}

/** Null when there is an account of that address already. */
export async function insertUser(db: Database, { email, name, role }: NewUser): Promise<User | null> {
  const row = await findRow(db, z.object({ id: z.string() }), [
    email,
    name ?? email.split('@', 1).join(''),
    role,
  ])`
    insert into account (email, name, role) values ($1, $2, $3) on conflict (email) do nothing returning id`
  return row ? findUser(db, row.id) : null
}

/** Members that are absent stay as they are. */
export async function updateUser(
  db: Database,
  id: string,
  { name, role, isDisabled }: UserChange,
): Promise<void> {
  await execute(db, [id, name ?? null, role ?? null, isDisabled ?? null])`
    update account
       set name = coalesce($2, name),
           role = coalesce($3, role),
           disabled_at = case when $4::boolean is null then disabled_at
                              when $4 then coalesce(disabled_at, now()) end
     where id::text = $1`
}

/** Ends the addresses of feeds that an account has made: whoever knows one reads without a session. */
export async function closeFeedsOf(db: Database, id: string): Promise<void> {
  await db.query('update saved_view set feed_token_hash = null where account_id::text = $1', [id])
}

/** Returns true if another admin than the named one can sign in. */
export async function hasAdmin(
  db: Database,
  hasPasswordSignIn: boolean,
  besideId: string | null = null,
): Promise<boolean> {
  return affectsRows(db, [besideId, hasPasswordSignIn])`
    select from account
     where role = 'admin' and disabled_at is null and (($2 and password_hash is not null) or oidc_subject is not null)
       and ($1::text is null or id::text <> $1)
     limit 1`
}

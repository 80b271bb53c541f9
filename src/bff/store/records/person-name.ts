/**
 * SQL of how pages name the account that fits a condition: by its name, with the email where another account has the same
 * name. Null for no account.
 */
export function personName(condition: string): string {
  return `(
    select case when exists (
             select from account twin where lower(twin.name) = lower(account.name) and twin.id <> account.id)
           then account.name || ' (' || account.email || ')' else account.name end
      from account where ${condition})`
}

/** SQL of the same for who did something: the email at that time for a person who is gone. */
export function namedAs(email: string): string {
  return `coalesce(${personName(`account.email = ${email}`)}, ${email})`
}

import type { Database } from '#database/database.ts'

/** Whoever has to wait before the next attempt waits for an hour more: longer than any test, however slow the machine. */
export async function holdWaits(database: Database): Promise<void> {
  await database.query(`
    create function hold_wait() returns trigger language plpgsql as $$
    begin
      new.blocked_until := new.blocked_until + interval '1 hour';
      return new;
    end
    $$;
    create trigger held before insert or update on sign_in_attempt
      for each row when (new.blocked_until > now()) execute function hold_wait()`)
}

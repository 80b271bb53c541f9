/** The reader's account is `$1`. */
export const VISIBLE_LISTS = '(is_shared or name_list.account_id::text = $1)'

/** Pairs that count: a confirmed pair is certain, a rejected one is none. `words` are the threat's. */
export const COUNTED_MATCHES = `(
  select list_match.entry_id, list_match.threat_id, rule, words, decision,
         case decision when 'confirmed' then 'certain' else certainty end as certainty
    from list_match left join list_decision using (entry_id, threat_id)
   where decision is distinct from 'rejected')`

/** Text that differs after people changed a shared list, its entries or decisions, or shared another list. */
export const SHARED_LISTS_REVISION = `(
  select coalesce(string_agg(id || ' ' || criteria_revision, ' ' order by id), '') from name_list where is_shared)`

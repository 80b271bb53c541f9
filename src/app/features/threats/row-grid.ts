/**
 * The three shapes of a row, by the width there is for the list: a card, stacked columns, a column for each fact.
 * Cells only name their area.
 */
export const ROW_GRID = [
  'grid gap-x-3 pr-3',
  "grid-cols-[2.25rem_auto_auto_minmax(0,1fr)_auto_auto] [grid-template-areas:'check_title_title_title_when_more'_'check_severity_category_actor_country_more']",
  "@2xl:grid-cols-[2.25rem_5.5rem_minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_10.5rem] @2xl:[grid-template-areas:'check_severity_title_actor_country_when'_'check_severity_title_victim_category_when']",
  "@5xl:grid-cols-[2.25rem_5.5rem_minmax(0,2.8fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,0.8fr)_10.5rem] @5xl:[grid-template-areas:'check_severity_title_actor_victim_country_category_when']",
].join(' ')

/** The same in every shape, so that a list of 100,000 rows knows its height. In rem: it grows with the reader's text. */
export const ROW_REM = 3.5

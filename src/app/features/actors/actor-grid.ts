/** A row in its two shapes, by the width there is: two lines, or a column for each fact. Cells only name their area. */
export const ACTOR_GRID = [
  'grid items-center gap-x-3 px-3',
  "grid-cols-[minmax(0,1fr)_auto_auto_4.5rem] [grid-template-areas:'name_spark_spark_mentions'_'targets_listed_latest_week']",
  "@4xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1.2fr)_minmax(0,1fr)_7.5rem_8rem_6.5rem_6.5rem_6rem] @4xl:[grid-template-areas:'name_targets_category_spark_mentions_listed_week_latest']",
].join(' ')

/** The same in both shapes, in rem: it grows with the reader's text. */
export const ACTOR_ROW_REM = 3.25

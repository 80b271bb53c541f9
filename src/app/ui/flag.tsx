type FlagProps = {
  /** Alpha-2, as the contract gives it; null for a country that we do not know. */
  code: string | null
}

/** Decoration beside a country's name. */
export function Flag({ code }: FlagProps) {
  const frame = 'inline-block h-3 w-4.5 shrink-0 rounded-[2px]'
  if (!code || !/^[A-Z]{2}$/.test(code)) {
    return <span aria-hidden="true" className={`${frame} border border-line border-dashed`} />
  }
  return (
    <img
      src={`/flags/${code}.svg`}
      alt=""
      width={18}
      height={12}
      className={`${frame} object-cover outline outline-ink/15 -outline-offset-1`}
    />
  )
}

import { type ReactNode, type Ref, useId } from 'react'

type SectionCardProps = {
  title: ReactNode
  /** With it, the heading can have the focus. */
  headingRef?: Ref<HTMLHeadingElement>
  /** A short remark beside the heading. */
  note?: ReactNode
  /** At the right end of the heading. */
  tools?: ReactNode
  children: ReactNode
}

/** A part of a page in a frame of its own, named by its heading. */
export function SectionCard({ title, headingRef, note, tools, children }: SectionCardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 overflow-clip rounded-lg border border-line bg-surface print:break-inside-avoid"
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5">
        {/* Leaves room for one small tool, so that a long title breaks beside it. */}
        <h2
          id={id}
          ref={headingRef}
          tabIndex={headingRef ? -1 : undefined}
          className="wrap-anywhere min-w-0 max-w-[calc(100%-3rem)] font-semibold text-sm"
        >
          {title}
        </h2>
        {note}
        {tools && <div className="ml-auto flex items-center gap-2">{tools}</div>}
      </header>
      {children}
    </section>
  )
}

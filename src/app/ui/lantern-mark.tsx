/** The product's sign: the one place where its flame is amber. */
export function LanternMark({ className = 'size-5' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M7.5 3.8a2.5 2.5 0 0 1 5 0M6 5h8M6.5 5 5.3 16.5h9.4L13.5 5M4 16.5h12" />
      <path
        className="fill-flame"
        stroke="none"
        d="M10 7.2c1.5 1.7 2.2 2.9 2.2 4.1a2.2 2.2 0 0 1-4.4 0c0-1.2.7-2.4 2.2-4.1z"
      />
    </svg>
  )
}

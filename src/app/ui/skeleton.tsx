/** Stands where text or a part will be; give it a size. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-skeleton rounded-sm bg-pressed ${className}`} />
}

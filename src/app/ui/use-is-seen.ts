import { useEffect, useRef, useState } from 'react'

const AHEAD = '200px'

/** True once the element has come near the viewport: what it needs is fetched then, and not before. */
export function useIsSeen<T extends Element>(ahead = AHEAD) {
  const ref = useRef<T>(null)
  const [isSeen, setIsSeen] = useState(!('IntersectionObserver' in globalThis))

  useEffect(() => {
    if (isSeen || !ref.current) return
    const observer = new IntersectionObserver(
      (entries) => setIsSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: ahead },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isSeen, ahead])

  return { ref, isSeen }
}

import { useEffect, useState } from 'react'

/** A value once it has stood for a while: what changes with each keystroke, but is worth asking about only at rest. */
export function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}

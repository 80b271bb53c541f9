import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionOptions } from './session-options.ts'

/** Spares others what the BFF would refuse them. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { data: session } = useQuery(sessionOptions())
  return session?.user.role === 'admin' ? children : null
}

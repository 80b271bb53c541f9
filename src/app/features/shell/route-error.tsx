import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'

/** A page that could not be drawn. The shell around it goes on. */
export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter()
  const queryErrors = useQueryErrorResetBoundary()
  const retry = () => {
    queryErrors.reset()
    router.invalidate()
  }

  return (
    <div className="grid gap-4 py-8">
      <DocumentTitle title="Page not available" />
      <h1 className="font-semibold text-xl">This page is not available</h1>
      <ErrorPanel error={error} onRetry={retry} />
    </div>
  )
}

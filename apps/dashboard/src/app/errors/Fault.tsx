import { asApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** Stands in for a page that broke while it was drawn, or whose code did not arrive; what surrounds it stays usable. */
export function Fault({ error }: { error: unknown }) {
  const { requestId, message } = asApiError(error)
  return (
    <ErrorPage
      sign="500"
      title="Something broke on our side."
      actions={
        // Code that did not arrive is asked for again only by a new load of the page.
        <Button kind="primary" onClick={() => window.location.reload()}>
          Try again
        </Button>
      }
    >
      <p>Your money isn’t affected.</p>
      <p className="mt-2 font-mono text-caption break-words">{requestId ?? message}</p>
    </ErrorPage>
  )
}

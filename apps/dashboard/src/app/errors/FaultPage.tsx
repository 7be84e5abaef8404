import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'

import { asApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** A page that broke while it was drawn; whatever surrounds it stays usable. */
export function FaultPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { requestId, message } = asApiError(error)
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <main id="content" tabIndex={-1}>
      <ErrorPage
        sign="500"
        title="Something broke on our side."
        actions={
          <Button kind="primary" onClick={again}>
            Try again
          </Button>
        }
      >
        <p>Your money isn’t affected.</p>
        <p className="mt-2 font-mono text-caption break-words">{requestId ?? message}</p>
      </ErrorPage>
    </main>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'

import { Button } from '../actions/Button.tsx'
import { CopyButton } from '../actions/CopyButton.tsx'

/** What an error tells; the shape of every refusal of the server, and of a lost network. */
export type ErrorFacts = {
  readonly message: string
  readonly details?: string | undefined
  readonly code?: string | undefined
  readonly requestId?: string | undefined
}

export type ErrorStateProps = {
  /** What could not be loaded: "Payments". */
  readonly title: string
  readonly error: ErrorFacts
  readonly onRetry?: () => void
}

/** The error, its code and the request's id for support, and a way to try again. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const hasDetails = error.details !== undefined && error.details !== '' && error.details !== error.message
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <CircleAlert aria-hidden size={28} strokeWidth={1.5} className="mb-3 text-danger-solid" />
      <p className="text-h3 font-semibold">{title}</p>
      <p className="mt-1.5 max-w-[60ch] text-body text-muted">{error.message}</p>
      {hasDetails && <p className="mt-1 max-w-[60ch] text-body text-muted">{error.details}</p>}
      {error.requestId !== undefined && (
        <p className="mt-3 inline-flex items-center gap-1 font-mono text-caption text-muted">
          {error.code} · {error.requestId}
          <CopyButton label={t`request id`} value={error.requestId} />
        </p>
      )}
      {onRetry !== undefined && (
        <div className="mt-4">
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

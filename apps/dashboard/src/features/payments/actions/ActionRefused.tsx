import { Trans } from '@lingui/react/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'

/** Says why the action was refused, and what to do instead. */
export function ActionRefused({ thrown }: { thrown: unknown }) {
  const { message, details, isLost, requestId } = asRequestError(thrown)
  const hasDetails = details !== undefined && details !== '' && details !== message
  return (
    <Banner tone="danger">
      <p className="font-medium">{message}</p>
      {hasDetails && <p>{details}</p>}
      {isLost && (
        <p>
          <Trans>Try again. It is safe: nothing happens twice.</Trans>
        </p>
      )}
      {requestId !== undefined && <p className="mt-1 font-mono text-caption">{requestId}</p>}
    </Banner>
  )
}

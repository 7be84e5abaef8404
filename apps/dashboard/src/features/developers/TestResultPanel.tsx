import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { TestResult } from '@kassa/contract/webhooks/schemas.ts'

import { Banner } from '../../ui/Banner.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'

/** How a test went: what the receiver answered, how fast, and what that means. */
export function TestResultPanel({ result }: { result: TestResult }) {
  const { success, statusCode, ms, message, responseExcerpt } = result
  return (
    <div className="mt-2 flex flex-col gap-2">
      <Banner tone={success ? 'success' : 'warning'}>
        {message}
        <span className="block text-dense tabular-nums">
          <Trans>
            {statusCode === null ? t`No answer` : t`Status ${statusCode}`} · {ms} ms
          </Trans>
          {!success && t` · the endpoint stays as it is`}
        </span>
      </Banner>
      {responseExcerpt !== '' && <CodeBlock label="answer" text={responseExcerpt} wraps />}
    </div>
  )
}

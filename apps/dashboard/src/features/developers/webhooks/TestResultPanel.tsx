import type { TestResult } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { Banner } from '../../../ui/feedback/Banner.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'

/** How a test went: what the receiver answered, how fast, and what that means. */
export function TestResultPanel({ result }: { result: TestResult }) {
  const { success, statusCode, ms, message, responseExcerpt } = result
  const facts = [
    statusCode === null ? t`No answer` : t`Status ${statusCode}`,
    t`${ms} ms`,
    ...(success ? [] : [t`the endpoint stays as it is`]),
  ]
  return (
    <div className="mt-2 flex flex-col gap-2">
      <Banner tone={success ? 'success' : 'warning'}>
        {message}
        <span className="block text-dense tabular-nums">{facts.join(' · ')}</span>
      </Banner>
      {responseExcerpt !== '' && <CodeBlock label={t`answer`} text={responseExcerpt} wraps />}
    </div>
  )
}

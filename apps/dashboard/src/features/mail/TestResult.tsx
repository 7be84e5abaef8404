import type { MailTest } from '@kassa/contract/mail/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Banner } from '../../ui/feedback/Banner.tsx'
import { CodeBlock } from '../../ui/facts/CodeBlock.tsx'

/** How a test mail went, with what the two servers said to each other. */
export function TestResult({ result: { success, message, transcript } }: { result: MailTest }) {
  return (
    <div className="flex flex-col gap-2">
      <Banner tone={success ? 'success' : 'danger'}>{message}</Banner>
      {transcript.length > 0 && (
        <details open={!success}>
          <summary className="cursor-pointer text-dense text-muted">
            <Trans>What was said</Trans>
          </summary>
          <div className="mt-2">
            <CodeBlock label={t`transcript`} text={transcript.join('\n')} wraps />
          </div>
        </details>
      )}
    </div>
  )
}

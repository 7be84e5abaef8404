import type { TestResult, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useTestWebhook } from '../../../api/webhooks.ts'

/** Returns a test of one endpoint: running it, and how the last one went. */
export function useEndpointTest(webhook: Webhook) {
  const test = useTestWebhook()
  const [isTesting, setTesting] = useState(false)
  const [result, setResult] = useState<TestResult>()
  const [failure, setFailure] = useState<string>()

  const run = async () => {
    setTesting(true)
    setFailure(undefined)
    setResult(undefined)
    setFailure(await failureOf(async () => setResult(await test(webhook))))
    setTesting(false)
  }
  return { run, isTesting, result, failure }
}

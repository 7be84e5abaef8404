import type { MailTest } from '@kassa/contract/mail/schemas.ts'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useTestMailServer } from '../../api/mail.ts'
import { mailErrors, mailRequest, type MailValues } from './mail-form.ts'

/** Sends a test e-mail with values that are not stored; absent: with those that are. */
export function useTrial(values?: MailValues) {
  const test = useTestMailServer()
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<MailTest>()
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setResult(undefined)
    const [first] = values === undefined ? [] : Object.values(mailErrors(values))
    setFailure(first)
    if (first !== undefined) return
    setRunning(true)
    try {
      setResult(await test(values === undefined ? {} : mailRequest(values)))
    } catch (thrown) {
      const { fields, text } = formFailure(thrown, Object.keys(values ?? {}))
      setFailure(text ?? Object.values(fields)[0])
    } finally {
      setRunning(false)
    }
  }
  const clear = () => {
    setResult(undefined)
    setFailure(undefined)
  }
  return { isRunning, result, failure, run, clear }
}

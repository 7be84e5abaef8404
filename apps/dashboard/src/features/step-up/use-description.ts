import { useEffect, useState } from 'react'

import { describeAction, type DescribedAction } from '../../api/presence.ts'
import { asRequestError } from '../../api/request-error.ts'
import type { StepUpRequest } from '../../api/step-up.ts'

export type Description = {
  /** Whether all is known that a person must see before they confirm. */
  readonly isRead: boolean
  /** What the server says the call will do; absent where presence alone is asked for. */
  readonly action?: DescribedAction
  readonly failure?: string
}

/** Reads what the call that waits will do, where it moves money. */
export function useDescription({ class: kind, action: name, subject }: StepUpRequest): Description {
  const [description, setDescription] = useState<Description>({ isRead: kind !== 'M' })
  useEffect(() => {
    if (kind !== 'M') return undefined
    let isShown = true
    const show = (next: Description) => isShown && setDescription(next)
    describeAction(name, subject).then(
      (action) => show({ isRead: true, action }),
      (thrown: unknown) => show({ isRead: false, failure: asRequestError(thrown).message }),
    )
    return () => void (isShown = false)
  }, [kind, name, subject])
  return description
}

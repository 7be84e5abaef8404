import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { keepDisplay } from '../../api/display.ts'
import { asRequestError } from '../../api/request-error.ts'
import { onSessionEnd, storedUser } from '../../api/session.ts'
import { keepDisplayBy, showOfDevice } from '../../lib/display/display.ts'
import { followTheme } from '../../lib/display/theme.ts'
import { toast } from '../../ui/feedback/toast.ts'

/** Keeps display settings with the account of who is signed in, and shows those of the device once nobody is. */
export function DisplayWatch() {
  const queryClient = useQueryClient()
  useEffect(followTheme, [])
  useEffect(() => {
    if (storedUser() === undefined) showOfDevice()
    return onSessionEnd(showOfDevice)
  }, [])
  useEffect(
    () =>
      keepDisplayBy((choice) => {
        if (storedUser() === undefined) return false
        keepDisplay(queryClient, choice).catch((thrown: unknown) => {
          const { message } = asRequestError(thrown)
          // Whoever was signed out meanwhile sees why on the page that follows.
          if (storedUser() !== undefined) toast.error(t`Your display settings couldn’t be saved. ${message}`)
        })
        return true
      }),
    [queryClient],
  )
  return null
}

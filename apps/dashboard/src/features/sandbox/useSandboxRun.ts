import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { mineBlocks, payAsCustomer, reorganise, sandboxQuery } from '../../api/sandbox.ts'
import { shortHash } from '../../lib/text/format.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { reorganisation } from './sandbox-rules.ts'

/** Returns what can be done on the local chains for a payment; one thing at a time, what failed last is said. */
export function useSandboxRun(payment: PaymentDetail) {
  const queryClient = useQueryClient()
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<string>()

  const run = async (work: () => Promise<string>) => {
    if (isRunning) return
    setIsRunning(true)
    setFailure(undefined)
    try {
      toast.success(await work())
      void queryClient.invalidateQueries({ queryKey: ['payments'] })
      void queryClient.invalidateQueries(sandboxQuery)
    } catch (thrown) {
      const { message, details } = asRequestError(thrown)
      setFailure(details === undefined || details === message ? message : `${message} ${details}`)
    } finally {
      setIsRunning(false)
    }
  }

  return {
    isRunning,
    failure,
    pay: (payCase: PayCase) =>
      run(async () => {
        const { txHash, blockchainCode } = await payAsCustomer(payment.referenceID, payCase)
        const network = networkName(blockchainCode)
        const transaction = shortHash(txHash)
        return payCase === 'wrong_token'
          ? t`Sent on ${network}: ${transaction}. It isn’t money, so the payment goes on waiting.`
          : t`Sent on ${network}: ${transaction}`
      }),
    mine: (blocks: number) =>
      run(async () => {
        const code = payment.blockchainSymbol ?? ''
        const { height } = await mineBlocks(code, blocks)
        const network = networkName(code)
        return t`${network} is at block ${height}.`
      }),
    takeBack: () =>
      run(async () => {
        const { chains } = await queryClient.query({ ...sandboxQuery, staleTime: 0 })
        const plan = reorganisation(payment, chains)
        if (plan === undefined) throw new Error(t`No deposit is in a block yet.`)
        const { code, depth } = plan
        await reorganise(code, depth)
        const network = networkName(code)
        return t`${network} dropped ${plural(depth, { one: '# block', other: '# blocks' })}.`
      }),
  }
}

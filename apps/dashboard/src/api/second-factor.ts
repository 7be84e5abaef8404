import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { makePasskey } from '../lib/device/passkeys.ts'
import { call } from './client.ts'
import { meQuery } from './me.ts'
import { sessionsQuery } from './sessions.ts'

/** What the operator has beside the password, and what the install asks for. */
export const ownFactorsQuery = queryOptions({
  queryKey: ['me', 'second-factor'],
  queryFn: ({ signal }) => call(factorRoutes.getOwnFactors, {}, { signal }),
})

const POLICY = 'security.second_factor'

/** Returns the functions that change the operator's second factors; each throws RequestError. */
export function useFactorChanges() {
  const queryClient = useQueryClient()
  const refresh = async () => {
    const keys = [ownFactorsQuery.queryKey, meQuery.queryKey, sessionsQuery.queryKey]
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  /** Reads again what is on screen, refused or not: an answer may be lost, and a refusal means that it was out of date. */
  const then = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer
    } finally {
      await refresh()
    }
  }
  return {
    refresh,
    beginTotp: () => call(factorRoutes.beginTotp, {}),
    /** Returns the backup codes, when it is the first factor. What is on screen changes once they were read. */
    confirmTotp: async (code: string) => (await call(factorRoutes.confirmTotp, { body: { code } })).backupCodes,
    removeTotp: () => then(call(factorRoutes.removeTotp, {})),
    renewBackupCodes: async () => (await call(factorRoutes.renewBackupCodes, {})).backupCodes,
    /** Undefined when the person ended it; else the same as above. */
    addPasskey: async (name: string) => {
      const { challengeId, publicKey } = await call(factorRoutes.beginPasskey, {})
      const attestation = await makePasskey(publicKey)
      if (attestation === undefined) return undefined
      return call(factorRoutes.addPasskey, { body: { challengeId, attestation, name } })
    },
    renamePasskey: (id: number, name: string) =>
      then(call(factorRoutes.renamePasskey, { params: { id }, body: { name } })),
    removePasskey: (id: number) => then(call(factorRoutes.removePasskey, { params: { id } })),
    savePolicy: (value: string) =>
      then(call(settingsRoutes.updateSetting, { params: { key: POLICY }, body: { value } })),
  }
}

import { backupsRoutes } from '@kassa/contract/backups/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'

/** A command makes them, and its news may be lost with a connection. */
const LOOK_MS = 60_000

const REMINDER = 'backups.remind_after_days'

/** When this install was last backed up, and whether that is too long ago. */
export const backupStateQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: ({ signal }) => call(backupsRoutes.getBackupState, {}, { signal }),
  refetchInterval: LOOK_MS,
})

/** Returns the function that sets after how many days the next backup is asked for; 0: never. @throws RequestError */
export function useRemindAfter(): (days: number) => Promise<void> {
  const queryClient = useQueryClient()
  return async (days) => {
    await call(settingsRoutes.updateSetting, { params: { key: REMINDER }, body: { value: String(days) } })
    void queryClient.invalidateQueries({ queryKey: ['attention'] })
    await queryClient.invalidateQueries({ queryKey: backupStateQuery.queryKey })
  }
}

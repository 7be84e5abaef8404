import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import type { Selectable } from 'kysely'

import type { SerialId } from '../../db/columns.ts'

export type AlarmTables = {
  alarms: {
    id: SerialId
    kind: AlarmKind
    subject: string
    text: string
    raised_at: Date
    cleared_at: Date | null
  }
}

export type AlarmRow = Selectable<AlarmTables['alarms']>

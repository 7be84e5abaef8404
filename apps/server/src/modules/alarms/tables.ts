import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import type { ColumnType, Selectable } from 'kysely'

import type { SerialId } from '../../db/columns.ts'

export type AlarmTables = {
  alarms: {
    id: SerialId
    kind: AlarmKind
    subject: string
    /** The parameters of the kind's sentence; null in rows of an older version. Written as JSON text. */
    params: ColumnType<unknown, string, string>
    /** The sentence as it was raised, for parameters that this version does not know. */
    text: string
    raised_at: Date
    cleared_at: Date | null
  }
}

export type AlarmRow = Selectable<AlarmTables['alarms']>

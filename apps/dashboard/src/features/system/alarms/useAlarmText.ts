import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** The words of all alarms, which weigh more than the frame may: they come with the first alarm. */
const alarmTextsQuery = queryOptions({
  queryKey: ['alarm texts'],
  queryFn: () => import('./alarm-texts.ts'),
  staleTime: Infinity,
})

/** Returns the texts of alarms: in English as the server prints them until their words are loaded. */
export function useAlarmText(alarms: readonly Alarm[]): (alarm: Alarm) => string {
  const { data: texts } = useQuery({ ...alarmTextsQuery, enabled: alarms.length > 0 })
  return (alarm) => texts?.alarmText(alarm) ?? alarm.text
}

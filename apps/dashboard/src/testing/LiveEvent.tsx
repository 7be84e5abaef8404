import { useQueryClient } from '@tanstack/react-query'

/** A press that reads everything anew, as the live channel does at an event and when it is back. */
export function LiveEvent() {
  const client = useQueryClient()
  return <button onClick={() => void client.invalidateQueries()}>Live event</button>
}

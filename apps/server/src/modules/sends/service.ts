/**
 * Sends: every transaction that a hot wallet signs, whatever it is for. Amount and fee ceiling are reserved and the bytes stored
 * with the business row before anything leaves; what the chain made of them comes back as the event `send.moved`.
 */
export type { SendItem } from './record/send.ts'
export { readSendMoved, type SendMoved } from './record/send-moved.ts'
export { letSendAgain } from './signing/let-send-again.ts'
export { startSend, type StartedSend, type StartResult, type StartSend, type SendWait } from './signing/start-send.ts'

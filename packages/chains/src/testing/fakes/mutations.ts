/** How many mutations of each class are forged: few with every change, and a thousand or more by command. */
export const MUTATIONS = Number(process.env['KASSA_FAKE_MUTATIONS'] ?? 20)

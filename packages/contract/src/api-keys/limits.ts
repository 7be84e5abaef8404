/** Networks one key may be limited to (api.md I2). */
export const MAX_ALLOWED_IPS = 20

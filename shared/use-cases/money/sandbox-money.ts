/** Who pays in a simulation that names no sender. */
export const SANDBOX_SENDER = { name: 'Adaeze Okafor', bank: 'Sandbox Bank' } as const;

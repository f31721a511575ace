import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/**
 * Waits for a conditional write, and returns its result. Returns undefined if its condition did not hold, and nothing was written.
 * @throws any other error of the write.
 */
export const resultIfHeld = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/** Waits for a conditional write. Returns false if its condition did not hold, and nothing was written. @throws any other error of the write. */
export const conditionHeld = async (write: Promise<unknown>): Promise<boolean> =>
  (await resultIfHeld(write.then(() => true))) ?? false;

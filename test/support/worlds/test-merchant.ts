import { type Metering, startMeter } from '#test/support/emulators/meter.ts';
import {
  type SimulatedTime,
  type SimulatedTimeOptions,
  startSimulatedTime,
} from '#test/support/emulators/simulated-time.ts';
import { createApiClient } from './api-client.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { makeWorld, type World } from './world.ts';

/* A world with one merchant and one endpoint: in test mode, unless a file sets live mode. */

export let world: World;
export let business: Awaited<ReturnType<World['addBusiness']>>;
/** The API under the merchant's secret key of the mode. */
export let api: ReturnType<typeof createApiClient>;
export let endpointId: string;
/** The server at the endpoint's URL. */
export let receiver: Receiver;
/** With the option `metered`: counts the calls of the table, and may make them fail. */
export let meter: Metering;
/** With the option `simulated`: queue and sweeper in simulated time. The API then uses that queue. */
export let time: SimulatedTime;

export interface TestMerchantOptions {
  readonly mode?: 'live' | 'test';
  readonly world?: Parameters<typeof makeWorld>[0];
  /** The URLs of the merchant's endpoints, instead of the receiver's. */
  readonly urls?: readonly string[];
  /** Dependencies that replace some of the world's. */
  readonly deps?: Partial<World['deps']>;
  readonly metered?: boolean;
  readonly simulated?: SimulatedTimeOptions;
}

/** Makes a new world, merchant and receiver. */
export const openMerchant = async (options: TestMerchantOptions = {}): Promise<void> => {
  const { mode = 'test' } = options;
  receiver = await startReceiver();
  if (options.metered) meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  world = await makeWorld({ ...options.world, ...(options.metered && { dynamoDbEndpoint: meter.endpoint }) });
  Object.assign(world.deps, options.deps);
  business = await world.addBusiness(options.urls ?? [receiver.url], mode);
  endpointId = business.endpoints[0]?.id ?? '';
  if (options.simulated) time = startSimulatedTime(world, options.simulated);
  const deps = options.simulated ? time.deps : world.deps;
  api = createApiClient({ ...world, deps }, business.keys[`secret_${mode}`]);
};

/** Gives every test of a file its own world, merchant and receiver. */
export const openMerchantForEachTest = (options: TestMerchantOptions = {}): void => {
  beforeEach(() => openMerchant(options));
  afterEach(async () => {
    await receiver.stop();
    if (options.metered) await meter.stop();
  });
};

/** The order of a checkout: ₦2,500. */
export const ORDER = { amount: 2_500, payer_email: 'sade.balogun@example.com' };

/** Opens and pays `count` checkouts by simulation, each with an event. */
export const payCheckouts = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const { reference } = (await api.initialize(ORDER)).json.data;
    expect((await api.simulate({ reference })).status).toBe(200);
  }
};
/** Makes an event for the endpoint. Returns its id. */
export const sendTestEvent = async (): Promise<string> => (await api.testEndpoint(endpointId)).json.data.id;
/** Sets the receiver's answer from now on. */
export const answerWith = (status: number, headers: Record<string, string> = {}): void =>
  receiver.answer((response) => response.writeHead(status, headers).end());

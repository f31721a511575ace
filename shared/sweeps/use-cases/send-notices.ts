import type { Member } from '#shared/businesses/domain/member.ts';
import { isForOwner, NOTICE_LEASE, type Notice } from '#shared/businesses/domain/notice.ts';
import { noticeText } from '#shared/businesses/domain/notice-text.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import type { Mail, NoticeStore, SendMail, UserReader } from '#shared/members/ports.ts';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { HOUR, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type SweepDeps, sweepLowPriority } from './sweep.ts';
import { type TellDayDeps, tellDay } from './tell-day.ts';

export interface SendNoticesDeps extends SweepDeps, TellDayDeps, Pick<Runtime, 'wait'> {
  readonly notices: NoticeStore;
  readonly users: UserReader;
  readonly businesses: Pick<BusinessReader, 'findAll'>;
  readonly sendMail: SendMail;
  /** Where people sign in to the dashboard; null where its address is not known. */
  readonly signInUrl: string | null;
}

/** Before a mail that failed is sent again: most often too many were sent in a second, which in SES's sandbox are two. */
const PAUSE = SECOND;
/** A notice that is refused for every reader is not tried more often: the fault may be ours, and may be mended. */
const REFUSED_WAIT = HOUR;

interface Reader extends Pick<Member, 'userId' | 'email'> {
  readonly isConcerned: boolean;
}

/**
 * Whom a notice is for, each once: the owners that its businesses have now, unless they chose otherwise, and the member whom it concerns.
 * @throws UnreadableItem where a business cannot be read.
 */
const findReaders = async (deps: SendNoticesDeps, notice: Notice) => {
  const { businessIds, userId } = notice;
  const [businesses, concerned] = await Promise.all([
    deps.businesses.findAll(businessIds),
    userId === null ? undefined : deps.users.find(userId),
  ]);
  if (businesses.length < businessIds.length) throw new UnreadableItem('BIZ');
  const owners = businesses.flatMap(({ members }) => members.filter((member) => isForOwner(notice, member)));
  const all: Reader[] = [
    ...owners.map((owner) => ({ ...owner, isConcerned: false })),
    ...(concerned ? [{ userId: concerned.id, email: concerned.email, isConcerned: true }] : []),
  ];
  // Whoever owns a business and is concerned too is so here.
  return {
    name: businesses[0]?.name ?? '',
    readers: [...new Map(all.map((reader) => [reader.userId, reader])).values()],
  };
};

/** Sends a mail, and once more where that fails. @throws what it failed with again. */
const sendAgain = async ({ sendMail, wait }: SendNoticesDeps, mail: Mail): Promise<'sent' | 'refused'> => {
  try {
    return await sendMail(mail);
  } catch {
    await wait(PAUSE);
    return sendMail(mail);
  }
};

/** What a round of mails came to. */
interface Round {
  readonly mailed: readonly string[];
  readonly refused: number;
  /** The first failure that may go better at another try. */
  readonly failure: unknown;
  /** Whether somebody was not reached in time. */
  readonly isCut: boolean;
}

/** Mails each reader alone, all of them whatever becomes of the others. */
const mailEach = async (
  deps: SendNoticesDeps,
  notice: Notice,
  { name, readers }: Awaited<ReturnType<typeof findReaders>>,
  deadline: Millis,
): Promise<Round> => {
  const mailed = [...notice.mailed];
  let refused = 0;
  let failure: unknown;
  for (const { userId, email, isConcerned } of readers.filter((reader) => !mailed.includes(reader.userId))) {
    if (deps.now() >= deadline) return { mailed, refused, failure, isCut: true };
    try {
      const words = noticeText(notice, { business: name, signInUrl: deps.signInUrl, email, isConcerned });
      const outcome = await sendAgain(deps, { to: email, ...words });
      if (outcome === 'sent') mailed.push(userId);
      else refused += 1;
    } catch (error) {
      failure ??= error;
    }
  }
  return { mailed, refused, failure, isCut: false };
};

/**
 * Mails a notice to whom it was not mailed yet, and deletes it once everybody has it who can be written to. Whoever has it is remembered
 * where others do not, so that a reader gets a second one only after a crash. False where it is refused for everybody: then it waits for
 * its readers' addresses to be mended, and not for us.
 */
const sendNotice = async (deps: SendNoticesDeps, notice: Notice, deadline: Millis): Promise<boolean> => {
  const audience = await findReaders(deps, notice);
  const { mailed, refused, failure, isCut } = await mailEach(deps, notice, audience, deadline);
  if (refused > 0) deps.log('mail_refused', { refused, readers: audience.readers.length });
  if (failure !== undefined) deps.log('work_failed', { kind: 'notice' }, failure);
  const now = deps.now();
  if (isCut || failure !== undefined) {
    await deps.notices.keep(notice, { mailed: [...mailed], dueAt: isCut ? now : notice.dueAt });
    return true;
  }
  if (refused > 0 && mailed.length === 0) {
    await deps.notices.keep(notice, { mailed: [], dueAt: now + REFUSED_WAIT });
    return false;
  }
  await deps.notices.finish(notice.id);
  return true;
};

/** Takes a notice and mails it. Returns since when it has waited; undefined where it waits for its readers, or somebody else has it. */
const sendDue = async (
  deps: SendNoticesDeps,
  { id, dueAt }: Pick<Notice, 'id' | 'dueAt'>,
  deadline: Millis,
): Promise<Millis | undefined> => {
  try {
    const notice = await deps.notices.take({ id, dueAt }, deps.now() + NOTICE_LEASE);
    return notice && (await sendNotice(deps, notice, deadline)) ? notice.createdAt : undefined;
  } catch (error) {
    deps.log('work_failed', { kind: 'notice' }, error);
    // It is due again when its lease ends.
    return dueAt;
  }
};

/**
 * Mails what owners and members are to be told, until `deadline` (milliseconds since the epoch): one mail after the other, so that the
 * codes of who signs in, which have a queue of their own, are not refused for the number of mails. What fails is due again in five minutes.
 * Summaries come last: all of them are due at the same time in the morning, and no other notice waits for them.
 */
export const sendNotices = async (deps: SendNoticesDeps, deadline: Millis): Promise<void> => {
  let longest = 0;
  const inTurn = { atOnce: 1, share: Number.POSITIVE_INFINITY } as const;
  await sweepLowPriority(deps, 'notices', deadline, {
    ...inTurn,
    work: async ([due]) => {
      const since = due?.kind === 'notice' ? await sendDue(deps, due, deadline) : undefined;
      if (since !== undefined) longest = Math.max(longest, deps.now() - since);
    },
  });
  deps.metrics('notice_lag', longest);
  await sweepLowPriority(deps, 'summaries', deadline, {
    ...inTurn,
    work: async ([due]) => {
      if (due?.kind === 'notice') await sendDue(deps, due, deadline);
      if (due?.kind === 'summary') await tellDay(deps, due);
    },
  });
};

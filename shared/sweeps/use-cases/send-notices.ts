import type { Member } from '#shared/businesses/domain/member.ts';
import { isForOwner, NOTICE_LEASE, type Notice } from '#shared/businesses/domain/notice.ts';
import { noticeText } from '#shared/businesses/domain/notice-text.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import type { Mail, NoticeStore, SendMail, UserReader } from '#shared/members/ports.ts';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { HOUR, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type SweepDeps, sweepLowPriority } from './sweep.ts';
import { type PrepareSummaryDeps, prepareSummary } from './tell-day.ts';

export interface SendNoticesDeps extends SweepDeps, PrepareSummaryDeps, Pick<Runtime, 'wait'> {
  readonly notices: NoticeStore;
  readonly users: UserReader;
  readonly businesses: Pick<BusinessReader, 'findAll'>;
  readonly sendMail: SendMail;
  /** The dashboard's sign-in; null if its address is not known. */
  readonly signInUrl: string | null;
}

/** The pause before a failed mail is sent again. The usual reason is that too many mails were sent in a second. Milliseconds. */
const PAUSE = SECOND;
/**
 * The wait after SES rejected the mail to every reader. Then the notice is mailed again, because the reason may be a fault of ours that is repaired
 * meanwhile. Milliseconds.
 */
const REFUSED_WAIT = HOUR;

interface Reader extends Pick<Member, 'userId' | 'email'> {
  readonly isConcerned: boolean;
}

/**
 * Finds the readers of a notice, each once: the present owners of its businesses, unless they chose otherwise, and the member whom it concerns.
 * @throws UnreadableItem if a business cannot be read.
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
  // The member whom the notice concerns comes last. If this member is also an owner, this entry replaces the owner's entry.
  return {
    name: businesses[0]?.name ?? '',
    readers: [...new Map(all.map((reader) => [reader.userId, reader])).values()],
  };
};

/** Sends a mail, and tries once more after a failure. @throws the error of the second try. */
const sendWithRetry = async ({ sendMail, wait }: SendNoticesDeps, mail: Mail): Promise<'sent' | 'refused'> => {
  try {
    return await sendMail(mail);
  } catch {
    await wait(PAUSE);
    return sendMail(mail);
  }
};

/** The outcome of a round of mails. */
interface Round {
  readonly mailed: readonly string[];
  readonly refused: number;
  /** The first failure after which another try may help. */
  readonly failure: unknown;
  /** Whether time ended before every reader was mailed. */
  readonly isOutOfTime: boolean;
}

/** Mails each reader alone. A failure does not stop the other mails. */
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
    if (deps.now() >= deadline) return { mailed, refused, failure, isOutOfTime: true };
    try {
      const words = noticeText(notice, { business: name, signInUrl: deps.signInUrl, email, isConcerned });
      const outcome = await sendWithRetry(deps, { to: email, ...words });
      if (outcome === 'sent') mailed.push(userId);
      else refused += 1;
    } catch (error) {
      failure ??= error;
    }
  }
  return { mailed, refused, failure, isOutOfTime: false };
};

/**
 * Mails a notice to the readers who have not had it yet. When all readers who can be mailed have it, the notice is deleted. Until then it
 * stores who has it, so that a reader gets a second mail only after a crash. Returns false if SES rejected the mail to every reader: then the
 * readers' addresses are usually the problem, and `notice_lag` leaves this notice out.
 */
const sendNotice = async (deps: SendNoticesDeps, notice: Notice, deadline: Millis): Promise<boolean> => {
  const audience = await findReaders(deps, notice);
  const { mailed, refused, failure, isOutOfTime } = await mailEach(deps, notice, audience, deadline);
  if (refused > 0) deps.log('mail_refused', { refused, readers: audience.readers.length });
  if (failure !== undefined) deps.log('work_failed', { kind: 'notice' }, failure);
  const now = deps.now();
  if (isOutOfTime || failure !== undefined) {
    await deps.notices.reschedule(notice, { mailed: [...mailed], dueAt: isOutOfTime ? now : notice.dueAt });
    return true;
  }
  if (refused > 0 && mailed.length === 0) {
    await deps.notices.reschedule(notice, { mailed: [], dueAt: now + REFUSED_WAIT });
    return false;
  }
  await deps.notices.finish(notice.id);
  return true;
};

/**
 * Takes a notice and mails it. Returns since when it has waited, for `notice_lag`: since it was created or, if its work failed apart from the mails
 * themselves, since it was due. Undefined if another run has it, or if SES rejected the mail to every reader.
 */
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
 * Mails due notices until `deadline` (milliseconds since the epoch). The mails are sent one after the other. If many were sent at once, SES could
 * reject the sign-in codes that another function sends. A notice that fails is due again in five minutes. Summaries come last, because all are due
 * at the same time in the morning, and no other notice should wait for them.
 */
export const sendNotices = async (deps: SendNoticesDeps, deadline: Millis): Promise<void> => {
  let longestWait = 0;
  const inTurn = { atOnce: 1, share: Number.POSITIVE_INFINITY } as const;
  await sweepLowPriority(deps, 'notices', deadline, {
    ...inTurn,
    work: async ([due]) => {
      const since = due?.kind === 'notice' ? await sendDue(deps, due, deadline) : undefined;
      if (since !== undefined) longestWait = Math.max(longestWait, deps.now() - since);
    },
  });
  deps.metrics('notice_lag', longestWait);
  await sweepLowPriority(deps, 'summaries', deadline, {
    ...inTurn,
    work: async ([due]) => {
      if (due?.kind === 'notice') await sendDue(deps, due, deadline);
      if (due?.kind === 'summary') await prepareSummary(deps, due);
    },
  });
};

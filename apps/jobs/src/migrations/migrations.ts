import type { Migration } from '@kinora/database';
import { CreateJobs1795165200000 } from './20261120T0900-create-jobs';
import { RollUpUsage1795185000000 } from './20261120T1430-roll-up-usage';
import { IndexJobLists1795185600000 } from './20261120T1440-index-job-lists';
import { AddUpstreamRef1795197600000 } from './20261120T1800-add-upstream-ref';
import { RunLongSubmissions1795198200000 } from './20261120T1810-run-long-submissions';
import { LetAccountsTakeTurns1795199400000 } from './20261120T1830-let-accounts-take-turns';
import { CountCanceledWork1795200600000 } from './20261120T1850-count-canceled-work';
import { CompareWithWhatPassed1795209000000 } from './20261120T2110-compare-with-what-passed';
import { TraceJobs1795210800000 } from './20261120T2140-trace-jobs';
import { TraceAttempts1795211400000 } from './20261120T2150-trace-attempts';
import { TraceEvents1795212000000 } from './20261120T2200-trace-events';
import { RollUpHours1795212600000 } from './20261120T2210-roll-up-hours';
import { KeepHotTablesLean1795213200000 } from './20261120T2220-keep-hot-tables-lean';
import { CheckAcceptsAtOnce1795215600000 } from './20261120T2300-check-accepts-at-once';
import { CheckJobsByFunctions1795234200000 } from './20261121T0410-check-jobs-by-functions';
import { MarkParkedAttempts1795348800000 } from './20261122T1200-mark-parked-attempts';
import { KeepReasonsOfAttempts1795349400000 } from './20261122T1210-keep-reasons-of-attempts';
import { CountGpuTimeOfFailures1795350000000 } from './20261122T1220-count-gpu-time-of-failures';
import { IndexTombstones1795353000000 } from './20261122T1310-index-tombstones';
import { RetryEndsApart1795356600000 } from './20261122T1410-retry-ends-apart';
import { IndexRetries1795357200000 } from './20261122T1420-index-retries';
import { LeaseOrphanSweep1795359000000 } from './20261122T1450-lease-orphan-sweep';
import { IndexPlaces1795361400000 } from './20261122T1530-index-places';
import { DeleteOnRequest1795385160000 } from './20261122T2206-delete-on-request';
import { KeepReceiptFacts1795385280000 } from './20261122T2208-keep-receipt-facts';
import { RecordProgress1795386000000 } from './20261122T2220-record-progress';
import { KeepQuotedPrices1795386540000 } from './20261122T2229-keep-quoted-prices';
import { FeedEvents1795386600000 } from './20261122T2230-feed-events';
import { KeepUnansweredRequests1795386660000 } from './20261122T2231-keep-unanswered-requests';
import { IndexFailedJobs1795397520000 } from './20261123T0132-index-failed-jobs';
import { IndexVideos1795397940000 } from './20261123T0139-index-videos';
import { FinishContentDeletions1795410720000 } from './20261123T0512-finish-content-deletions';
import { IndexDeletedContent1795410780000 } from './20261123T0513-index-deleted-content';
import { KeepAnsweredRequests1795412040000 } from './20261123T0534-keep-answered-requests';
import { IndexRequestsToJoin1795424760000 } from './20261123T0906-index-requests-to-join';
import { DropVideoIndex1795425480000 } from './20261123T0918-drop-video-index';
import { KeepUnkeyedRequests1795542960000 } from './20261124T1756-keep-unkeyed-requests';
import { DropUnansweredRequests1795543020000 } from './20261124T1757-drop-unanswered-requests';

export const migrations: Migration[] = [
  CreateJobs1795165200000,
  RollUpUsage1795185000000,
  IndexJobLists1795185600000,
  AddUpstreamRef1795197600000,
  RunLongSubmissions1795198200000,
  LetAccountsTakeTurns1795199400000,
  CountCanceledWork1795200600000,
  CompareWithWhatPassed1795209000000,
  TraceJobs1795210800000,
  TraceAttempts1795211400000,
  TraceEvents1795212000000,
  RollUpHours1795212600000,
  KeepHotTablesLean1795213200000,
  CheckAcceptsAtOnce1795215600000,
  CheckJobsByFunctions1795234200000,
  MarkParkedAttempts1795348800000,
  KeepReasonsOfAttempts1795349400000,
  CountGpuTimeOfFailures1795350000000,
  IndexTombstones1795353000000,
  RetryEndsApart1795356600000,
  IndexRetries1795357200000,
  LeaseOrphanSweep1795359000000,
  IndexPlaces1795361400000,
  DeleteOnRequest1795385160000,
  KeepReceiptFacts1795385280000,
  RecordProgress1795386000000,
  KeepQuotedPrices1795386540000,
  FeedEvents1795386600000,
  KeepUnansweredRequests1795386660000,
  IndexFailedJobs1795397520000,
  IndexVideos1795397940000,
  FinishContentDeletions1795410720000,
  IndexDeletedContent1795410780000,
  KeepAnsweredRequests1795412040000,
  IndexRequestsToJoin1795424760000,
  DropVideoIndex1795425480000,
  KeepUnkeyedRequests1795542960000,
  DropUnansweredRequests1795543020000,
];

"""One function per use case. Transactions and permissions begin and end here.

Every function is blocking and takes the `Service` first: ``reports.get(service, caller, 7)``. A coroutine calls it as ``await
service.run(reports.get, caller, 7)``, which uses the service's bounded threads. Failures are raised as `findable.errors.RequestError`.
"""
